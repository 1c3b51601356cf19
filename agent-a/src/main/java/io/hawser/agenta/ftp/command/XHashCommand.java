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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code XMD5 <SP> <pathname> [<SP> <start> [<SP> <end>]]} and its like, which no RFC describes: the checksum from {@code start} to before
 * {@code end}. A name with spaces may stand in quotes; a range is read only behind a name in quotes or without spaces.
 */
final class XHashCommand implements FtpCommand {
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"(?: +(\\d{1,18}))?(?: +(\\d{1,18}))? *");
    private static final Pattern PLAIN = Pattern.compile("([^\" ]+)(?: +(\\d{1,18}))?(?: +(\\d{1,18}))? *");

    private final String verb;
    private final ChecksumAlgorithm algorithm;

    XHashCommand(String verb, ChecksumAlgorithm algorithm) {
        this.verb = verb;
        this.algorithm = algorithm;
    }

    @Override
    public List<String> verbs() {
        return List.of(verb);
    }

    @Override
    public String syntax() {
        return "file [start [end]]";
    }

    @Override
    public Permission permission() {
        return Permission.READ;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        Matcher quoted = QUOTED.matcher(argument);
        Matcher plain = PLAIN.matcher(argument);
        if (quoted.matches()) {
            compute(session, quoted.group(1), span(quoted));
        } else if (plain.matches()) {
            compute(session, plain.group(1), span(plain));
        } else {
            compute(session, argument, ByteSpan.ALL);
        }
    }

    private static ByteSpan span(Matcher words) {
        String start = words.group(2);
        String end = words.group(3);
        return new ByteSpan(
                start == null ? 0 : Long.parseLong(start), end == null ? ByteSpan.TO_THE_END : Long.parseLong(end));
    }

    private void compute(FtpSession session, String name, ByteSpan span) {
        if (span.to() < span.from()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "The end is before the start."));
            return;
        }
        session.resolve(name)
                .ifPresent(path -> Checksums.compute(
                        session, path, algorithm, span, result -> FtpReply.of(ReplyCode.FILE_ACTION_OK, result.hex())));
    }
}
