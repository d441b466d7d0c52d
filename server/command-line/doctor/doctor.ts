/**
 * `doctor` checks an installation and prints the next step for each problem. It changes nothing and
 * applies no migration.
 */
import { ConfigError } from '../../kernel/config/config.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import { command, type CommandOutput, type CommandContext } from '../command.ts'
import type { DoctorCheck } from './doctor-check.ts'
import { checkDatabase } from './doctor-database.ts'
import { checkFiles } from './doctor-files.ts'
import {
  checkAppIsolation,
  checkDataFolder,
  checkDiskSpace,
  checkMasterKey,
  checkNode,
  checkSettings,
} from './doctor-machine.ts'
import { formatCount, formatTable } from '../output.ts'
import { MailError } from '../../providers/mail/mail-contract.ts'
import { smtpMail } from '../../providers/mail/smtp.ts'

const DEADLINE_MS = 5000

/** Check of the mail server: whether it accepts a mail. */
async function checkMail({ mail: { provider, url, from } }: Config): Promise<DoctorCheck> {
  const name = 'mail'
  if (provider !== 'smtp') {
    const detail =
      provider === 'log' ? 'Mail to owners is written to the log only.' : 'Owners get no mail.'
    return { name, status: 'ok', detail, next_step: null }
  }
  const { hostname } = new URL(url)
  try {
    await smtpMail({ url, from, deadline_ms: DEADLINE_MS }).verify()
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const next_step =
      'Check HOMEPORT_MAIL_URL, and that this server accepts connections from this machine.'
    return { name, status: 'fail', detail: error.message, next_step }
  }
  return { name, status: 'ok', detail: `${hostname} would take a mail.`, next_step: null }
}

export const doctor = command({
  name: 'doctor',
  about: 'Checks the installation and prints the next step for each problem.',
  options: {},
  async run(_, context) {
    return report([checkNode(), ...(await checkInstallation(context))])
  },
})

async function checkInstallation(context: CommandContext): Promise<DoctorCheck[]> {
  let config: Config
  try {
    config = context.settings()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n').map(faultySetting)
  }
  const machine = [
    checkSettings(config),
    checkDataFolder(config),
    checkDiskSpace(config),
    checkMasterKey(config),
    checkAppIsolation(),
    await checkFiles(config),
    await checkMail(config),
  ]
  return [...machine, ...(await checkDatabase(config))]
}

function faultySetting(detail: string): DoctorCheck {
  return {
    name: 'settings',
    status: 'fail',
    detail,
    next_step: 'Change the setting in the environment or in .env.',
  }
}

function report(checks: DoctorCheck[]): CommandOutput {
  const failed = checks.filter(({ status }) => status === 'fail')
  const rows = checks.map(({ status, name, detail, next_step }) => [
    status,
    name,
    next_step ? `${detail} ${next_step}` : detail,
  ])
  const answer = {
    json: { ok: failed.length === 0, checks },
    text: formatTable(['', 'CHECK', 'FOUND'], rows),
  }
  if (failed.length === 0) return answer
  const names = failed.map(({ name }) => name).join(', ')
  return {
    ...answer,
    fault: `${formatCount(failed.length, 'check')} of ${checks.length} failed: ${names}.`,
  }
}
