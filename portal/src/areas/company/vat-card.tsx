/** The result of the check of the VAT number by the service of the European Union. */
import { useFormat } from '../../language/format.ts'
import { useTexts } from '../../language/texts.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import type { Company } from './queries.ts'
import { companyTexts } from './texts.ts'

const tones = {
  not_required: 'neutral',
  unverified: 'warn',
  valid: 'good',
  invalid: 'bad',
} as const

export function VatCard({
  company: { vat_number, vat_status, vat_checked_at },
}: {
  company: Company
}) {
  const t = useTexts(companyTexts)
  const format = useFormat()
  return (
    <Card
      title={t('vat')}
      aside={
        <Badge tone={tones[vat_status]} dot>
          {t(`vat_${vat_status}`)}
        </Badge>
      }
    >
      {vat_number !== null && <p className="font-mono">{vat_number}</p>}
      <p className="text-sm text-muted">
        {t(vat_number === null ? 'vat_none_about' : `vat_${vat_status}_about`)}
        {vat_checked_at !== null && ` ${t('vat_checked', { when: format.moment(vat_checked_at) })}`}
      </p>
    </Card>
  )
}
