// Nothing but linear constraints: compiled without simplification, no constraint has an A or a B.
pragma circom 2.0.0;

template Linear() {
    signal input a;
    signal input b;
    signal output c;
    signal output d;
    c <== a + 2 * b + 3;
    d <== c - 5 * a;
}

component main = Linear();
