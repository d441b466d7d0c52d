/** The texts about opening hours. */
import { defineTexts, useLanguage } from '../../../language/texts.ts'
import { days, type Day } from '../../../ui/forms/week/spans.ts'
import type { WeekTexts } from '../../../ui/forms/week/week-grid.tsx'

export const useHoursTexts = defineTexts('assistant_hours', {
  en: {
    week: 'Opening hours',
    week_about: 'Callers hear these, today’s included. Draw on a day, or type the times.',
    none: 'No opening hours yet',
    none_about: 'Asked when you are open, the assistant says that it does not know.',
    sentence: 'Set our opening hours: Monday to Friday from 9 to 5, closed at the weekend.',
    start: 'Start with Monday to Friday, 9 to 5',
    clear: 'Clear the week',
    closed: 'Closed',
    next_day: 'next day',
    overlap: 'These times overlap',
    opens: 'Opens',
    closes: 'Closes',
    add_first: 'Add hours',
    add: 'Add hours on {{day}}',
    remove: 'Remove {{span}}',
    copy: 'Copy {{day}}',
    copy_weekdays: 'Copy to Monday–Friday',
    copy_all: 'Copy to every day',
    copy_to: 'Copy to {{day}}',
  },
  nl: {
    week: 'Openingstijden',
    week_about:
      'Bellers horen deze tijden, ook die van vandaag. Teken op een dag, of typ de tijden.',
    none: 'Nog geen openingstijden',
    none_about: 'Op de vraag wanneer u open bent, zegt de assistent dat hij het niet weet.',
    sentence: 'Stel onze openingstijden in: maandag tot en met vrijdag van 9 tot 5, weekend dicht.',
    start: 'Begin met maandag–vrijdag, 9 tot 5',
    clear: 'Week leegmaken',
    closed: 'Gesloten',
    next_day: 'volgende dag',
    overlap: 'Deze tijden overlappen',
    opens: 'Opent',
    closes: 'Sluit',
    add_first: 'Tijden toevoegen',
    add: 'Tijden toevoegen op {{day}}',
    remove: '{{span}} verwijderen',
    copy: '{{day}} kopiëren',
    copy_weekdays: 'Kopiëren naar maandag–vrijdag',
    copy_all: 'Kopiëren naar elke dag',
    copy_to: 'Kopiëren naar {{day}}',
  },
})

/** A Monday, from which the names of the days are taken. */
const MONDAY = Date.UTC(2026, 0, 5)
const DAY_MS = 86_400_000

export function useWeekTexts(): WeekTexts {
  const t = useHoursTexts()
  const format = new Intl.DateTimeFormat(useLanguage(), { weekday: 'long', timeZone: 'UTC' })
  const nameOf = (day: Day) => {
    const name = format.format(MONDAY + days.indexOf(day) * DAY_MS)
    return name.slice(0, 1).toUpperCase() + name.slice(1)
  }
  return {
    days: {
      mon: nameOf('mon'),
      tue: nameOf('tue'),
      wed: nameOf('wed'),
      thu: nameOf('thu'),
      fri: nameOf('fri'),
      sat: nameOf('sat'),
      sun: nameOf('sun'),
    },
    closed: t('closed'),
    next_day: t('next_day'),
    overlap: t('overlap'),
    opens: t('opens'),
    closes: t('closes'),
    add_first: t('add_first'),
    add: (day) => t('add', { day }),
    remove: (span) => t('remove', { span }),
    copy: (day) => t('copy', { day }),
    copy_weekdays: t('copy_weekdays'),
    copy_all: t('copy_all'),
    copy_to: (day) => t('copy_to', { day }),
  }
}
