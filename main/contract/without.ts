/**
 * The object without the entry of that name; the same object when it has none. A loop, since the rest of a destructuring is many times
 * slower, and reduce() does this for every event.
 */
export function without<T extends object, K extends keyof T>(object: T, key: K): Omit<T, K> {
  if (!Object.hasOwn(object, key)) return object;
  const name = String(key);
  // Names are never `__proto__`, which is no entry when it is assigned: owners and keys are made of a name and more.
  const rest: Partial<T> = {};
  for (const other in object) if (other !== name) rest[other] = object[other];
  return rest as Omit<T, K>;
}
