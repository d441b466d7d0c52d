/** A refused command, with one sentence that states the reason and the fix. */
export class CommandError extends Error {}
