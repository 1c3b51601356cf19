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
import java.util.Optional;
import java.util.OptionalLong;

/**
 * {@code CKSM <SP> <algorithm> <SP> <offset> <SP> <length> <SP> <pathname>}, GFD.47 section 5.1: the checksum of a range, of the rest
 * where the length is -1.
 */
final class CksmCommand implements FtpCommand {
    /** As the Globus server writes it: each algorithm with a preference. */
    static final String FEATURE = "CKSM MD5:10;ADLER32:10;CRC32:10;SHA1:10;SHA256:11;SHA512:12;";

    private static final int WORDS = 4;

    @Override
    public List<String> verbs() {
        return List.of("CKSM");
    }

    @Override
    public String syntax() {
        return "algorithm offset length file";
    }

    @Override
    public Permission permission() {
        return Permission.READ;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String[] words = argument.split(" ", WORDS);
        if (words.length < WORDS) {
            session.reply(
                    FtpReply.of(ReplyCode.ARGUMENT_ERROR, "CKSM needs an algorithm, an offset, a length and a path."));
            return;
        }
        Optional<ChecksumAlgorithm> algorithm = ChecksumAlgorithm.of(words[0]);
        OptionalLong offset = Numbers.parse(words[1]);
        OptionalLong length = words[2].equals("-1") ? OptionalLong.of(-1) : Numbers.parse(words[2]);
        if (algorithm.isEmpty()) {
            session.reply(FtpReply.of(
                    ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Checksums are MD5, ADLER32, CRC32, SHA1, SHA256 and SHA512."));
        } else if (offset.isEmpty() || length.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "The offset and the length are numbers."));
        } else {
            ByteSpan span = span(offset.getAsLong(), length.getAsLong());
            session.resolve(words[WORDS - 1])
                    .ifPresent(path -> Checksums.compute(
                            session,
                            path,
                            algorithm.get(),
                            span,
                            result -> FtpReply.of(ReplyCode.FILE_STATUS, result.hex())));
        }
    }

    private static ByteSpan span(long offset, long length) {
        return new ByteSpan(offset, length < 0 ? ByteSpan.TO_THE_END : offset + length);
    }
}
