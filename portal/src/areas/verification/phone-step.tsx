/** The phone number of the owner, as a step of a level. */
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { PhoneForms } from './phone-forms.tsx'
import type { Verification } from './queries.ts'
import { Step } from './step.tsx'
import { verificationTexts } from './texts.ts'

export function PhoneStep({ verification }: { verification: Verification }) {
  const t = useTexts(verificationTexts)
  const scope = useProjectScope()
  const { phone_verified, phone, can_send_codes } = verification
  if (phone_verified) {
    const about = phone === null ? t('phone_confirmed') : t('phone_verified', { phone })
    return <Step title={t('phone')} about={about} state="done" />
  }
  return (
    <Step
      title={t('phone')}
      about={can_send_codes ? t('phone_about') : t('phone_by_operator')}
      state="to_do"
    >
      {can_send_codes && scope.may('owner') && <PhoneForms />}
    </Step>
  )
}
