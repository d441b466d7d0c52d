/** Event types of the specification for areas that this server does not have. */
export const laterEventTypes = {} as const satisfies Record<string, string>
