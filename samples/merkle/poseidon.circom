// Poseidon of two field elements (Grassi and others, 2021): S-box x^5, width 3, 8 full and 57 partial rounds.
pragma circom 2.0.0;

include "poseidon-constants.circom";

template FifthPower() {
    signal input in;
    signal output out;
    signal square <== in * in;
    signal fourth <== square * square;
    out <== fourth * in;
}

template Poseidon() {
    signal input left;
    signal input right;
    signal output out;

    // A partial round changes one word by its S-box and leaves the others as growing sums of earlier signals. So that the compiler need
    // not carry long sums, all three words become signals of their own at every `settle`-th partial round.
    var settle = 6;
    component power[8 * 3 + 57];
    signal settled[57 \ 6 + 1][3];
    var powers = 0;
    var state[3] = [0, left, right];
    for (var round = 0; round < 65; round++) {
        var partial = round >= 4 && round < 61;
        if (partial && (round - 4) % settle == 0) {
            for (var i = 0; i < 3; i++) {
                settled[(round - 4) \ settle][i] <== state[i];
                state[i] = settled[(round - 4) \ settle][i];
            }
        }
        for (var i = 0; i < 3; i++) {
            state[i] += round_constant(3 * round + i);
            if (!partial || i == 0) {
                power[powers] = FifthPower();
                power[powers].in <== state[i];
                state[i] = power[powers].out;
                powers++;
            }
        }
        var mixed[3];
        for (var i = 0; i < 3; i++) {
            mixed[i] = 0;
            for (var j = 0; j < 3; j++) mixed[i] += mixing_factor(i, j) * state[j];
        }
        state = mixed;
    }
    out <== state[0];
}
