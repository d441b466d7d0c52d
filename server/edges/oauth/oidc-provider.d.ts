/**
 * The parts of oidc-provider, each by its own path: its index says on the console that it does not
 * know this version of Node.
 */
declare module 'oidc-provider/lib/provider.js' {
  export { default as Provider } from 'oidc-provider'
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  import { errors } from 'oidc-provider'

  export import InvalidClient = errors.InvalidClient
  export import InvalidGrant = errors.InvalidGrant
  export import InvalidTarget = errors.InvalidTarget
}

declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import { interactionPolicy } from 'oidc-provider'

  export import Check = interactionPolicy.Check
  export import Prompt = interactionPolicy.Prompt
}
