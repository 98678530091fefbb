// Constraints with names to find again: each power's is the previous one's times x.
pragma circom 2.0.0;

template Powers(n) {
    signal input x;
    signal output last;
    signal power[n];
    power[0] <== x;
    for (var i = 1; i < n; i++) power[i] <== power[i - 1] * x;
    last <== power[n - 1];
}

component main = Powers(20);
