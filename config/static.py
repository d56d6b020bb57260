"""Static files with the hash of their content in their names, so that browsers may keep them for ever."""

from pathlib import Path

from servestatic.compress import Compressor
from servestatic.storage import CompressedManifestStaticFilesStorage


class OpenCompressor(Compressor):
    """Compressed files can be read by everybody who can read the file itself, such as the proxy."""

    @staticmethod
    def write_data(path, data, suffix, stat_result):
        filename = Compressor.write_data(path, data, suffix, stat_result)
        Path(filename).chmod(stat_result.st_mode)
        return filename


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hashed and compressed files; imports between our ES modules are rewritten too."""

    support_js_module_import_aggregation = True

    def create_compressor(self, **kwargs):
        return OpenCompressor(**kwargs)
