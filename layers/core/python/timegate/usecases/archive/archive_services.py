"""Services that archiving works with."""

from timegate.ports.archive import ArchiveFiles, EndedRecords, RowFiles, SealSigner
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Archiving:
    """Services of the archiver."""

    records: EndedRecords
    files: ArchiveFiles
    format: RowFiles
    telemetry: Telemetry


@dataclass(frozen=True, kw_only=True, slots=True)
class Sealing:
    """Services of what seals months of the archive."""

    files: ArchiveFiles
    signer: SealSigner
    telemetry: Telemetry
