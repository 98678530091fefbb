// No public signal at all.
pragma circom 2.0.0;

template Secret() {
    signal input a;
    signal input b;
    signal product <== a * b;
    product === 391;
}

component main = Secret();
