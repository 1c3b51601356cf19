package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code SITE UTIME path atime mtime ctime UTC} and {@code SITE UTIME mtime path}: sets the modification time; times are {@code
 * YYYYMMDDhhmm[ss]}, in UTC. In no RFC; lftp sends it to servers without MFMT.
 */
final class SiteUtimeCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("UTIME");
    }

    @Override
    public String syntax() {
        return "YYYYMMDDhhmmss path";
    }

    @Override
    public Permission permission() {
        return Permission.WRITE;
    }

    private static final Pattern LONG = Pattern.compile("(.+) \\d{12,14} (\\d{12,14}) \\d{12,14} UTC");
    private static final Pattern SHORT = Pattern.compile("(\\d{12,14}) (.+)");

    private record Wanted(String path, OptionalLong time) {}

    @Override
    public void execute(FtpSession session, String argument) {
        Optional<Wanted> wanted = parse(argument).filter(w -> w.time.isPresent());
        if (wanted.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "Syntax: SITE UTIME " + syntax()));
        } else {
            TimeChange.send(session, wanted.get().path, wanted.get().time.getAsLong(), ReplyCode.FILE_ACTION_OK);
        }
    }

    private static Optional<Wanted> parse(String argument) {
        Matcher withAll = LONG.matcher(argument);
        if (withAll.matches()) {
            return Optional.of(new Wanted(withAll.group(1), FtpTime.parse(withAll.group(2))));
        }
        Matcher withOne = SHORT.matcher(argument);
        return withOne.matches()
                ? Optional.of(new Wanted(withOne.group(2), FtpTime.parse(withOne.group(1))))
                : Optional.empty();
    }
}
