/**
 * Deep imports of oidc-provider, because its index prints a warning about unknown versions of Node.
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

declare module 'oidc-provider/lib/helpers/weak_cache.js' {
  import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

  /** The internal state of a provider. */
  export default function instance(provider: Provider): {
    grantTypeHandlers: Map<string, (ctx: KoaContextWithOIDC) => Promise<void>>
  }
}

declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import { interactionPolicy } from 'oidc-provider'

  export import Check = interactionPolicy.Check
  export import Prompt = interactionPolicy.Prompt
}

declare module 'oidc-provider/lib/helpers/initialize_keystore.js'
declare module 'oidc-provider/lib/helpers/configuration.js'
declare module 'oidc-provider/lib/models/index.js'
declare module 'oidc-provider/lib/helpers/initialize_app.js'
