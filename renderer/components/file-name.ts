/** The last part of a path of either system; the whole of it where that says nothing. */
export const fileName = (path: string): string => path.match(/[^/\\]+$/)?.[0] ?? path;
