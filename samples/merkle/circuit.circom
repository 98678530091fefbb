// Membership in a Merkle tree of depth 8: somebody knows a leaf of the tree with this root, and which one stays secret.
pragma circom 2.0.0;

include "poseidon.circom";

// left and right in this order, or the other way round when `swap` is 1.
template Ordered() {
    signal input swap;
    signal input own;
    signal input sibling;
    signal output left;
    signal output right;
    swap * (swap - 1) === 0;
    left <== own + swap * (sibling - own);
    right <== own + sibling - left;
}

template Member(depth) {
    signal input leaf;
    signal input siblings[depth];  // from the leaf's upwards
    signal input index;            // the leaf's place; bit i says whether the path comes from the right at height i
    signal input root;

    signal bits[depth];
    var place = 0;
    for (var i = 0; i < depth; i++) {
        bits[i] <-- (index >> i) & 1;
        place += bits[i] * 2 ** i;
    }
    place === index;

    component ordered[depth];
    component node[depth];
    for (var i = 0; i < depth; i++) {
        ordered[i] = Ordered();
        ordered[i].swap <== bits[i];
        ordered[i].own <== i == 0 ? leaf : node[i - 1].out;
        ordered[i].sibling <== siblings[i];
        node[i] = Poseidon();
        node[i].left <== ordered[i].left;
        node[i].right <== ordered[i].right;
    }
    root === node[depth - 1].out;
}

component main {public [root]} = Member(8);
