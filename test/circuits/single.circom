// One constraint.
pragma circom 2.0.0;

template Single() {
    signal input a;
    signal input b;
    signal output c;
    c <== a * b;
}

component main = Single();
