package io.hawser.core.remote;

import io.hawser.core.model.CodedEnum;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The checksums that the far end computes on request, by their names in GridFTP's CKSM (GFD.47 §5.1) and FTP's HASH. */
public enum ChecksumAlgorithm implements CodedEnum {
    MD5(1, "MD5"),
    SHA1(2, "SHA-1"),
    SHA256(3, "SHA-256"),
    SHA512(4, "SHA-512"),
    ADLER32(5, "ADLER32"),
    CRC32(6, "CRC32");

    private final int code;
    private final String label;

    ChecksumAlgorithm(int code, String label) {
        this.code = code;
        this.label = label;
    }

    @Override
    public int code() {
        return code;
    }

    /** The algorithm with that number; {@link IllegalArgumentException} if there is none. */
    public static ChecksumAlgorithm ofCode(int code) {
        return CodedEnum.of(values(), code, "checksum algorithm");
    }

    /** The name in FEAT and replies. */
    public String label() {
        return label;
    }

    /** The algorithm with that name; case and dashes do not matter. */
    public static Optional<ChecksumAlgorithm> of(String text) {
        String plain = text.replace("-", "").toUpperCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.name().equals(plain))
                .findFirst();
    }
}
