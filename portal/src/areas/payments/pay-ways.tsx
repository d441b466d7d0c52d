/** The ways to give a page to customers: its QR code, its address, and the page itself. */
import { Download, ExternalLink } from 'lucide-react'
import { ButtonAnchor } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { usePaymentTexts } from './texts.ts'

export interface PayWaysProps {
  url: string
  qr_url: string
  /** What the QR code is, for screen readers. */
  alt: string
  /** The name of the file with the QR code. */
  file: string
}

export function PayWays({ url, qr_url, alt, file }: PayWaysProps) {
  const t = usePaymentTexts()
  // The server of the portal serves the picture, also if customers know it by another name.
  const { pathname } = new URL(qr_url)
  return (
    <div className="flex flex-col items-start gap-4">
      <img src={pathname} alt={alt} className="size-48 rounded-lg border border-line bg-white" />
      <div className="flex flex-wrap gap-2">
        <CopyButton text={url} label={t('copy')} />
        <ButtonAnchor size="sm" href={url} target="_blank" rel="noreferrer">
          <ExternalLink aria-hidden="true" />
          {t('open_page')}
        </ButtonAnchor>
        <ButtonAnchor size="sm" href={pathname} download={file}>
          <Download aria-hidden="true" />
          {t('download_qr')}
        </ButtonAnchor>
      </div>
    </div>
  )
}
