/** The dialog that connects the account of the project at a provider. */
import type { Texts } from '../../api/operation-fields.ts'
import { OperationDialog } from '../../api/operation-form.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { connectAccount, paymentsKey, type WantedAccount } from './queries.ts'
import { usePaymentTexts } from './texts.ts'

const providers = ['mollie', 'stripe', 'builtin'] as const
const KEY_CHARACTERS_MIN = 10

export function ConnectAccount({ onClose }: { onClose(): void }) {
  const t = usePaymentTexts()
  const scope = useProjectScope()
  return (
    <OperationDialog
      operation="payments_account.put"
      title={t('connect_title')}
      about={t('connect_what')}
      fields={[
        {
          path: 'provider',
          label: t('provider'),
          initial: 'mollie',
          choices: providers.map((value) => ({
            value,
            text: t(value),
            about: t(`${value}_about`),
          })),
        },
        ...(['mollie', 'stripe'] as const).map((provider) => ({
          path: 'key',
          label: t('secret_key'),
          hint: t(`secret_key_${provider}`),
          required: true as const,
          isShown: (texts: Texts) => texts['provider'] === provider,
          check: (text: string) => (text.length < KEY_CHARACTERS_MIN ? t('key_fault') : undefined),
        })),
      ]}
      control={({ path, label, hint, schema }, { text, fault, set }) =>
        path === 'key' && (
          <Field label={label} hint={hint} fault={fault}>
            <Input
              type="password"
              autoComplete="off"
              maxLength={schema.maxLength}
              value={text}
              onChange={({ target }) => set(target.value)}
            />
          </Field>
        )
      }
      action={t('connect')}
      done={t('connected_done')}
      refresh={[paymentsKey(scope)]}
      run={(body: WantedAccount) => connectAccount(scope, body)}
      onClose={onClose}
      onDone={onClose}
    />
  )
}
