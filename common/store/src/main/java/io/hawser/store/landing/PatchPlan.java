package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.PatchRanges;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKind;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a patch asks for: its bytes go into a file, at {@code places}.
 *
 * @param makesFile whether there must be no file yet; otherwise it must be the one that was there when the upload began
 * @param baseSizeBytes the size of that file; 0 if there is none
 * @param places where they go
 * @param fingerprint of that file, as the far end told it; may be empty
 * @param digest of that file, where it was not there yet to be told of; then it is this that decides
 * @param mode the permission bits of that file
 */
public record PatchPlan(
        boolean makesFile,
        long baseSizeBytes,
        PatchRanges places,
        String fingerprint,
        Optional<TransferDigest> digest,
        OptionalInt mode) {
    static final String MERGING = ".merging";
    static final String MERGED = ".merged";
    static final String SUM = MERGED + ".sum";
    private static final String PART = ".part";
    private static final long MAX_SIZE_BYTES = 1L << 60;
    private static final int MAX_FRAGMENT_BYTES = 1 << 30;
    private static final int OCTAL = 8;

    /** Whether a manifest's parameters make sense, if it is one of a patch: null, or why not. */
    public static @Nullable Refusal check(Manifest manifest) {
        if (manifest.kind() != TransferKind.PATCH) {
            return null;
        }
        long base = baseSize(manifest);
        Optional<PatchRanges> places = places(manifest);
        boolean sound = base >= 0
                && places.isPresent()
                && places.get().last() <= MAX_SIZE_BYTES
                && base <= MAX_SIZE_BYTES
                && hasSoundDigest(manifest)
                && manifest.attributes().getOrDefault(Attributes.MODE, "644").matches("0*[0-7]{1,3}");
        return sound ? null : new Refusal(ErrorCode.MALFORMED, "A patch needs base-size and an offset.");
    }

    /** The plan of a manifest that {@link #check} has nothing against. */
    public static PatchPlan of(Manifest manifest) {
        String mode = manifest.attributes().get(Attributes.MODE);
        return new PatchPlan(
                makesFile(manifest),
                baseSize(manifest),
                places(manifest).orElseThrow(),
                manifest.attributes().getOrDefault(Attributes.BASE_FINGERPRINT, ""),
                digest(manifest),
                mode == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(mode, OCTAL)));
    }

    private static Optional<TransferDigest> digest(Manifest manifest) {
        return Optional.ofNullable(manifest.attributes().get(Attributes.BASE_DIGEST))
                .map(TransferDigest::parse);
    }

    private static boolean hasSoundDigest(Manifest manifest) {
        try {
            return digest(manifest)
                    .map(digest -> digest.fragmentSizeBytes() <= MAX_FRAGMENT_BYTES)
                    .orElse(true);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static Optional<PatchRanges> places(Manifest manifest) {
        return PatchRanges.parse(manifest.attributes().getOrDefault(Attributes.OFFSET, ""));
    }

    private static boolean makesFile(Manifest manifest) {
        return Attributes.NO_BASE.equals(manifest.attributes().get(Attributes.BASE_SIZE));
    }

    private static long baseSize(Manifest manifest) {
        return makesFile(manifest) ? 0 : number(manifest, Attributes.BASE_SIZE);
    }

    private static long number(Manifest manifest, String attribute) {
        try {
            return Long.parseLong(manifest.attributes().getOrDefault(attribute, ""));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** The size of the file with {@code patchBytes} of the patch in it. */
    public long mergedBytes(long patchBytes) {
        return places.mergedBytes(baseSizeBytes, patchBytes);
    }

    /** How much room the whole file takes at most while it is made: holes take none. */
    long copyBytes(long patchBytes) {
        return baseSizeBytes + patchBytes;
    }

    /** Where the whole file is being made of landing file {@code part}. */
    public static Path merging(Path part) {
        return sibling(part, MERGING);
    }

    /** Where the whole file is when it is made, durably. */
    public static Path merged(Path part) {
        return sibling(part, MERGED);
    }

    /** Where the digest of {@link #merged} is. */
    static Path sum(Path part) {
        return sibling(part, SUM);
    }

    private static Path sibling(Path part, String ending) {
        String name = part.getFileName().toString();
        return part.resolveSibling(name.substring(0, name.length() - PART.length()) + ending);
    }
}
