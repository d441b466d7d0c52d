/** A reason that is told to whoever sent the file. */
export class Unreadable extends Error {}
