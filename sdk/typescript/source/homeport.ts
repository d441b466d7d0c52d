/** What a program gets that imports `@homeport/sdk`: everything it may use, and nothing else. */
export {
  verifyWebhook,
  WebhookVerificationError,
  type WebhookEvent,
  type WebhookRequest,
  type WebhookVerificationReason,
} from './webhooks.ts'
