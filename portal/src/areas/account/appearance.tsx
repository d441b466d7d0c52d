/** The language and the theme of the portal, which this browser remembers. */
import { languages, setLanguage, useLanguage, useTexts } from '../../language/texts.ts'
import { setTheme, useTheme, type Theme } from '../../shell/theme.ts'
import { Card } from '../../ui/display/card.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { accountTexts } from './texts.ts'

const themes: readonly Theme[] = ['system', 'light', 'dark']

export function Appearance() {
  const t = useTexts(accountTexts)
  return (
    <Card title={t('appearance')} about={t('appearance_about')}>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={t('language')}>
          <Select
            value={useLanguage()}
            onChange={setLanguage}
            choices={[
              { value: 'en', text: languages.en },
              { value: 'nl', text: languages.nl },
            ]}
          />
        </Field>
        <Field label={t('theme')}>
          <Select
            value={useTheme()}
            onChange={setTheme}
            choices={themes.map((value) => ({ value, text: t(`theme_${value}`) }))}
          />
        </Field>
      </div>
    </Card>
  )
}
