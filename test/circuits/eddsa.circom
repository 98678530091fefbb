pragma circom 2.0.0;
include "circomlib/circuits/eddsaposeidon.circom";

component main {public [Ax, Ay, M]} = EdDSAPoseidonVerifier();
