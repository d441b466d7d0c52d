/** An error whose message is shown to the uploader. */
export class Unreadable extends Error {}
