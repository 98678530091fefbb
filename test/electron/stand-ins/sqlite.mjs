// better-sqlite3 13 needs a newer Node-API than the tests' old Electron has: there libsql stands in. Its interface is nearly the same; what
// differs in what the history uses is made the same here.
import Libsql from 'libsql';

class Statement {
  #statement;
  #plucks = false;

  constructor(statement) {
    this.#statement = statement;
  }

  /** Its own leaves get() and iterate() as they were. */
  pluck(on = true) {
    this.#plucks = on;
    this.#statement.raw(on);
    return this;
  }

  raw(on = true) {
    this.#statement.raw(on);
    return this;
  }

  run(...values) {
    return this.#statement.run(...bound(values));
  }

  get(...values) {
    const row = this.#statement.get(...bound(values));
    return this.#plucks ? row?.[0] : (row ?? undefined);
  }

  *iterate(...values) {
    for (const row of this.#statement.iterate(...bound(values))) yield this.#plucks ? row[0] : row;
  }

  all(...values) {
    return [...this.iterate(...values)];
  }
}

/** One object of names, or places in order: its own flattens lists, bytes among them. */
const bound = (values) => {
  const isNames = values.length === 1 && isObject(values[0]);
  return isNames ? values : [values];
};
const isObject = (value) => value !== null && typeof value === 'object' && !ArrayBuffer.isView(value) && !Array.isArray(value);

export default class Database extends Libsql {
  prepare(sql) {
    return new Statement(super.prepare(sql));
  }
}
