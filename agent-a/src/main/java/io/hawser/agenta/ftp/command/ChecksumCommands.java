package io.hawser.agenta.ftp.command;

import io.hawser.agenta.download.RequestedRange;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.download.ChecksumComputation;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.remote.ChecksumAlgorithm;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The commands that ask for checksums. */
final class ChecksumCommands {
    /** The FEAT line as Globus server writes it: each algorithm with a preference. */
    static final String CKSM_FEATURE = "CKSM MD5:10;ADLER32:10;CRC32:10;SHA1:10;SHA256:11;SHA512:12;";

    private static final int CKSM_WORDS = 4;
    private static final List<ChecksumAlgorithm> HASHES = List.of(
            ChecksumAlgorithm.SHA256,
            ChecksumAlgorithm.SHA512,
            ChecksumAlgorithm.SHA1,
            ChecksumAlgorithm.MD5,
            ChecksumAlgorithm.CRC32);
    private static final Pattern WITH_RANGE =
            Pattern.compile("(\"[^\"]+\"|[^\" ]+)(?: +(\\d{1,18}))?(?: +(\\d{1,18}))? *");

    private ChecksumCommands() {}

    /**
     * {@code CKSM <SP> <algorithm> <SP> <offset> <SP> <length> <SP> <pathname>}, GFD.47 section 5.1: the checksum of a range, of the rest
     * where the length is -1.
     */
    static void cksm(FtpSession session, String argument) {
        String[] words = argument.split(" ", CKSM_WORDS);
        if (words.length < CKSM_WORDS) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "CKSM needs an algorithm, an offset, a length and a path.");
            return;
        }
        Optional<ChecksumAlgorithm> algorithm = ChecksumAlgorithm.of(words[0]);
        OptionalLong offset = DecimalArgument.parse(words[1]);
        OptionalLong length = words[2].equals("-1") ? OptionalLong.of(-1) : DecimalArgument.parse(words[2]);
        if (algorithm.isEmpty()) {
            session.reply(
                    ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Checksums are MD5, ADLER32, CRC32, SHA1, SHA256 and SHA512.");
        } else if (offset.isEmpty() || length.isEmpty()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "The offset and the length are numbers.");
        } else {
            long end = length.getAsLong() < 0 ? RequestedRange.TO_THE_END : offset.getAsLong() + length.getAsLong();
            RequestedRange span = new RequestedRange(offset.getAsLong(), end);
            session.resolve(words[CKSM_WORDS - 1])
                    .ifPresent(path -> ChecksumComputation.compute(
                            session,
                            path,
                            algorithm.get(),
                            span,
                            (hex, range) -> FtpReply.of(ReplyCode.FILE_STATUS, hex)));
        }
    }

    /** The line in FEAT; a star marks the algorithm in force. */
    static String hashFeature(FtpSession session) {
        ChecksumAlgorithm inForce = session.settings().hash();
        return "HASH "
                + HASHES.stream()
                        .map(algorithm -> algorithm.label() + (algorithm == inForce ? "*" : ""))
                        .collect(Collectors.joining(";"));
    }

    /** {@code OPTS HASH [algorithm]}. */
    static void hashOptions(FtpSession session, String name) {
        if (name.isBlank()) {
            session.reply(ReplyCode.OK, session.settings().hash().label());
            return;
        }
        ChecksumAlgorithm.of(name.strip())
                .filter(HASHES::contains)
                .ifPresentOrElse(
                        algorithm -> {
                            session.settings().hash(algorithm);
                            session.reply(ReplyCode.OK, algorithm.label());
                        },
                        () -> session.reply(
                                ReplyCode.ARGUMENT_NOT_IMPLEMENTED,
                                "Unknown algorithm, current selection not changed."));
    }

    /** {@code HASH <SP> <pathname>}, draft-bryan-ftpext-hash: the checksum that OPTS HASH selected, of the range that RANG named. */
    static void hash(FtpSession session, String argument) {
        RequestedRange span = session.settings().takeSpan();
        ChecksumAlgorithm algorithm = session.settings().hash();
        session.resolve(argument)
                .ifPresent(path -> ChecksumComputation.compute(
                        session,
                        path,
                        algorithm,
                        span,
                        (hex, range) -> FtpReply.of(
                                ReplyCode.FILE_STATUS,
                                algorithm.label() + " " + range.from() + "-" + Math.max(range.from(), range.to() - 1)
                                        + " " + hex + " " + argument)));
    }

    /**
     * {@code XMD5 <SP> <pathname> [<SP> <start> [<SP> <end>]]} and its like, which no RFC describes: the checksum from {@code start} to before
     * {@code end}. A name with spaces may be in quotes; a range is read only after a name in quotes or without spaces.
     */
    static void xhash(FtpSession session, ChecksumAlgorithm algorithm, String argument) {
        Matcher words = WITH_RANGE.matcher(argument);
        boolean matches = words.matches();
        String name = matches ? words.group(1).replace("\"", "") : argument;
        String start = matches ? words.group(2) : null;
        String end = matches ? words.group(3) : null;
        RequestedRange span = new RequestedRange(
                start == null ? 0 : Long.parseLong(start),
                end == null ? RequestedRange.TO_THE_END : Long.parseLong(end));
        if (span.to() < span.from()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "The end is before the start.");
            return;
        }
        session.resolve(name)
                .ifPresent(path -> ChecksumComputation.compute(
                        session, path, algorithm, span, (hex, range) -> FtpReply.of(ReplyCode.FILE_ACTION_OK, hex)));
    }
}
