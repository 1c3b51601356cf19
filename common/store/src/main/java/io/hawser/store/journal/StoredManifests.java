package io.hawser.store.journal;

import io.hawser.core.codec.FieldReader;
import io.hawser.core.model.Extension;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.FormatTooNewException;
import java.util.Optional;

/** Reads manifests out of records; one that this version may not act on was written by a later one. */
public final class StoredManifests {
    private StoredManifests() {}

    /**
     * The manifest of transfer {@code key}.
     *
     * @throws FormatTooNewException if it has an extension that must be understood and is not known
     * @throws io.hawser.core.codec.MalformedFieldException if the bytes are none
     */
    public static Manifest read(FieldReader in, TransferKey key) throws FormatTooNewException {
        Manifest manifest = in.manifest(key);
        Optional<Extension> unknown = Extension.unknown(manifest.extensions());
        if (unknown.isPresent()) {
            throw new FormatTooNewException(
                    "transfer " + key + ": " + unknown.get().refusal());
        }
        return manifest;
    }
}
