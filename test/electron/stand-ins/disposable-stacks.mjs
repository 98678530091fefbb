// What Node 24 has and the tests' old Electron has not: stacks of what is to be disposed of, as far as the app uses them.

class Stack {
  ends = [];

  use(value) {
    const end = value?.[Symbol.asyncDispose] ?? value?.[Symbol.dispose];
    if (end) this.ends.push(() => end.call(value));
    return value;
  }

  adopt(value, end) {
    this.ends.push(() => end(value));
    return value;
  }

  defer(end) {
    this.ends.push(end);
  }

  move() {
    const moved = new this.constructor();
    moved.ends = this.ends.splice(0);
    return moved;
  }

  /** The last one first. */
  *inOrder() {
    yield* this.ends.splice(0).reverse();
  }
}

class SyncStack extends Stack {
  dispose() {
    for (const end of this.inOrder()) end();
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}

class AsyncStack extends Stack {
  async disposeAsync() {
    for (const end of this.inOrder()) await end();
  }

  async [Symbol.asyncDispose]() {
    await this.disposeAsync();
  }
}

globalThis.DisposableStack ??= SyncStack;
globalThis.AsyncDisposableStack ??= AsyncStack;
