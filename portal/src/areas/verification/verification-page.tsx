/** The page of the levels of verification, with their steps. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { ButtonLink } from '../../ui/actions/button.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { ProgressBar } from '../../ui/display/progress-bar.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { DeclarationStep } from './declaration-step.tsx'
import { DocumentStep } from './document-step.tsx'
import { LevelCard } from './level-card.tsx'
import { PhoneForms } from './phone-forms.tsx'
import { verificationQuery, type Level, type LevelName, type Verification } from './queries.ts'
import { Step } from './step.tsx'
import { useVerificationTexts } from './texts.ts'

export function Page() {
  const t = useVerificationTexts()
  const scope = useProjectScope()
  const query = useQuery(verificationQuery(scope))
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      {!scope.may('owner') && <p className="mb-4 text-muted">{t('owners')}</p>}
      <QueryState query={query} loading={<Skeleton className="h-130 rounded-xl!" />}>
        {(verification) => <Levels verification={verification} />}
      </QueryState>
    </>
  )
}

const names: readonly LevelName[] = ['company', 'number_documents', 'full']

function Levels({ verification }: { verification: Verification }) {
  const t = useVerificationTexts()
  const { levels } = verification
  const done = levels.filter(({ status }) => status === 'approved').length
  const progress = t('progress', { done, all: levels.length })
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <div>
        <p className="mb-1.5 text-sm text-muted">{progress}</p>
        <ProgressBar label={progress} value={done / levels.length} />
      </div>
      {names.map((name) => {
        const level = levels.find((one) => one.level === name)
        if (!level) return null
        const props = { level, verification }
        if (name === 'company') return <CompanyLevel key={name} {...props} />
        if (name === 'full') return <FullLevel key={name} {...props} />
        return <DocumentsLevel key={name} {...props} />
      })}
    </div>
  )
}

interface LevelProps {
  level: Level
  verification: Verification
}

/** Evidence can be changed while the level is neither in review nor approved. */
function isOpen({ status }: Level): boolean {
  return status === 'not_started' || status === 'rejected'
}

function CompanyLevel({ level, verification }: LevelProps) {
  const t = useVerificationTexts()
  const { link } = useProjectScope()
  const { company, card, has_funds, payment_authenticated, phone_verified, checked_by } =
    verification
  const canPay = card || has_funds
  return (
    <LevelCard
      name="company"
      level={level}
      ready={company.complete && canPay && payment_authenticated && phone_verified}
      waiting={t(`waiting_${checked_by}`)}
      send={t('check_company')}
      note={t(`checked_by_${checked_by}`)}
    >
      <Step
        title={t('details')}
        about={company.complete ? t('done') : t('details_missing')}
        state={company.complete ? 'done' : 'to_do'}
      >
        {(!company.complete || level.status === 'rejected') && (
          <ButtonLink to={link('/company')}>
            {t(company.complete ? 'details_change' : 'details_open')}
          </ButtonLink>
        )}
      </Step>
      <PhoneStep verification={verification} />
      <Step title={t('mandate')} about={t('mandate_about')} state={canPay ? 'done' : 'to_do'}>
        {!canPay && <ButtonLink to={link('/billing')}>{t('open_billing')}</ButtonLink>}
      </Step>
      <BankStep isDone={payment_authenticated} canPay={canPay} />
    </LevelCard>
  )
}

function BankStep({ isDone, canPay }: { isDone: boolean; canPay: boolean }) {
  const t = useVerificationTexts()
  const { link } = useProjectScope()
  return (
    <Step
      title={t('bank')}
      about={t(isDone ? 'bank_done' : 'bank_about')}
      state={isDone ? 'done' : 'to_do'}
    >
      {!isDone && canPay && <ButtonLink to={link('/billing')}>{t('open_billing')}</ButtonLink>}
    </Step>
  )
}

function DocumentsLevel({ level, verification }: LevelProps) {
  const t = useVerificationTexts()
  const { documents, account_type, kept_days } = verification
  const needsCompany = level.missing.includes('level.company')
  const kinds = [
    'proof_of_address',
    'identity',
    ...(account_type === 'business' ? (['company_registration'] as const) : []),
  ] as const
  return (
    <LevelCard
      name="number_documents"
      level={level}
      ready={level.missing.length === 0}
      waiting={t('waiting_operator')}
      send={t('send')}
      note={needsCompany ? t('first_company') : t('privacy', { days: kept_days })}
    >
      {kinds.map((kind) => (
        <DocumentStep key={kind} kind={kind} documents={documents} open={isOpen(level)} />
      ))}
    </LevelCard>
  )
}

function FullLevel({ level, verification }: LevelProps) {
  const t = useVerificationTexts()
  const { documents, declared_at, kept_days } = verification
  const needsCompany = level.missing.includes('level.company')
  return (
    <LevelCard
      name="full"
      level={level}
      ready={level.missing.every((code) => code === 'review')}
      waiting={t('waiting_operator')}
      send={t('send')}
      note={needsCompany ? t('first_company') : t('privacy', { days: kept_days })}
    >
      <DocumentStep kind="director_identity" documents={documents} open={isOpen(level)} />
      <DeclarationStep declared={declared_at !== null} open={isOpen(level)} />
    </LevelCard>
  )
}

/** The phone number of the owner, as a step of a level. */
function PhoneStep({ verification }: { verification: Verification }) {
  const t = useVerificationTexts()
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
