/** A command that is not carried out, with the one sentence that says why and what would work. */
export class Refusal extends Error {}
