package io.hawser.agenta.http;

import io.hawser.agenta.namespace.PathLookup;
import io.hawser.core.remote.RemoteFile;
import io.hawser.store.spool.TransferSnapshot;

/** The name of the version that a search has found, as {@link io.hawser.agenta.download.VersionedSource#version} says it. */
final class FileVersion {
    private FileVersion() {}

    static String of(PathLookup.Found found) {
        TransferSnapshot own = found.own();
        RemoteFile remote = found.remote();
        if (own != null) {
            return own.key().toString();
        }
        return remote == null ? "" : remote.fingerprint();
    }
}
