package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.ByteSpan;
import io.hawser.agenta.ftp.Checksums;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.remote.ChecksumAlgorithm;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code HASH <SP> <pathname>}, draft-bryan-ftpext-hash: the checksum that OPTS HASH selected, of the range that RANG named.
 */
final class HashCommand implements FtpCommand {
    private static final List<ChecksumAlgorithm> ALGORITHMS = List.of(
            ChecksumAlgorithm.SHA256,
            ChecksumAlgorithm.SHA512,
            ChecksumAlgorithm.SHA1,
            ChecksumAlgorithm.MD5,
            ChecksumAlgorithm.CRC32);

    /** The line in FEAT; a star marks the algorithm in force. */
    static String feature(FtpSession session) {
        ChecksumAlgorithm inForce = session.settings().hash();
        return "HASH "
                + ALGORITHMS.stream()
                        .map(algorithm -> algorithm.label() + (algorithm == inForce ? "*" : ""))
                        .collect(Collectors.joining(";"));
    }

    /** {@code OPTS HASH [algorithm]}. */
    static void options(FtpSession session, String name) {
        if (name.isBlank()) {
            session.reply(FtpReply.of(ReplyCode.OK, session.settings().hash().label()));
            return;
        }
        ChecksumAlgorithm.of(name.strip())
                .filter(ALGORITHMS::contains)
                .ifPresentOrElse(
                        algorithm -> {
                            session.settings().hash(algorithm);
                            session.reply(FtpReply.of(ReplyCode.OK, algorithm.label()));
                        },
                        () -> session.reply(FtpReply.of(
                                ReplyCode.ARGUMENT_NOT_IMPLEMENTED,
                                "Unknown algorithm, current selection not changed.")));
    }

    @Override
    public List<String> verbs() {
        return List.of("HASH");
    }

    @Override
    public String syntax() {
        return "file";
    }

    @Override
    public Permission permission() {
        return Permission.READ;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        ByteSpan span = session.settings().takeSpan();
        ChecksumAlgorithm algorithm = session.settings().hash();
        session.resolve(argument)
                .ifPresent(path -> Checksums.compute(
                        session,
                        path,
                        algorithm,
                        span,
                        result -> FtpReply.of(
                                ReplyCode.FILE_STATUS,
                                algorithm.label() + " " + result.from() + "-" + Math.max(result.from(), result.to() - 1)
                                        + " " + result.hex() + " " + argument)));
    }
}
