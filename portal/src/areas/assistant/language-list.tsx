/** The languages of the assistant, in order: calls start in the first one. */
import { ArrowUp, X } from 'lucide-react'
import { useLanguage } from '../../language/texts.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { useAssistantTexts } from './texts.ts'

/** The languages that the list offers; the API accepts every other language tag too. */
const offered =
  'nl en de fr es it nl-BE en-GB en-US pt pl tr ar uk ro bg cs da sv nb fi el hu zh ja hi'.split(
    ' ',
  )
const LANGUAGES_MAX = 20

export interface LanguageListProps {
  languages: readonly string[]
  fault: string | undefined
  onChange(languages: string[]): void
}

export function LanguageList({ languages, fault, onChange }: LanguageListProps) {
  const t = useAssistantTexts()
  const names = new Intl.DisplayNames(useLanguage(), { type: 'language' })
  const nameOf = (tag: string) => names.of(tag) ?? tag
  const rest = offered.filter((tag) => !languages.includes(tag))
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm font-medium">{t('languages')}</p>
      <ol
        aria-label={t('languages')}
        className="divide-y divide-line rounded-lg border border-line"
      >
        {languages.map((tag, index) => (
          <li key={tag} className="flex items-center gap-2 py-1 pr-1 pl-3">
            <span className="min-w-0 flex-1">
              {nameOf(tag)} {index === 0 && <Badge tone="accent">{t('first_language')}</Badge>}
            </span>
            {index > 0 && (
              <Button
                kind="ghost"
                size="icon"
                aria-label={t('language_up', { language: nameOf(tag) })}
                onClick={() => onChange([tag, ...languages.filter((other) => other !== tag)])}
              >
                <ArrowUp aria-hidden="true" />
              </Button>
            )}
            {languages.length > 1 && (
              <Button
                kind="ghost"
                size="icon"
                aria-label={t('language_remove', { language: nameOf(tag) })}
                onClick={() => onChange(languages.filter((other) => other !== tag))}
              >
                <X aria-hidden="true" />
              </Button>
            )}
          </li>
        ))}
      </ol>
      {fault !== undefined && <p className="text-sm text-bad">{fault}</p>}
      {languages.length < LANGUAGES_MAX && (
        <div className="max-w-60">
          <Select<string>
            label={t('language_add')}
            value=""
            onChange={(tag) => tag !== '' && onChange([...languages, tag])}
            choices={[
              { value: '', text: t('language_add') },
              ...rest.map((tag) => ({ value: tag, text: nameOf(tag) })),
            ]}
          />
        </div>
      )}
    </div>
  )
}
