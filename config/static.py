"""Storage for static files with a hash of their content in the name, so that browsers can cache them for ever."""

import os
from pathlib import Path

from servestatic.compress import Compressor
from servestatic.storage import CompressedManifestStaticFilesStorage


class OpenCompressor(Compressor):
    """Compressed files have the permissions of the original. The proxy needs to read them."""

    @staticmethod
    def write_data(path: str, data: bytes, suffix: str, stat_result: os.stat_result) -> str:
        filename = Compressor.write_data(path, data, suffix, stat_result)
        Path(filename).chmod(stat_result.st_mode)
        return filename


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hashed and compressed files. Imports between ES modules are rewritten too."""

    support_js_module_import_aggregation = True

    def create_compressor(self, **kwargs: object) -> OpenCompressor:
        return OpenCompressor(**kwargs)
