/** The public interface of `@homeport/sdk`. */
export {
  verifyWebhook,
  WebhookVerificationError,
  type WebhookEvent,
  type WebhookRequest,
  type WebhookVerificationReason,
} from './webhooks.ts'
