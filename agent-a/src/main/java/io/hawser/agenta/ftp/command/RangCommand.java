package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.ByteSpan;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.List;
import java.util.OptionalLong;

/**
 * {@code RANG <SP> <start> <SP> <end>}, draft-bryan-ftp-range: the bytes, both ends included, that the next RETR or HASH is about.
 * {@code RANG 1 0} takes it back.
 */
final class RangCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("RANG");
    }

    @Override
    public String syntax() {
        return "first last";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        String[] words = argument.strip().split(" +");
        OptionalLong first = words.length == 2 ? Numbers.parse(words[0]) : OptionalLong.empty();
        OptionalLong last = words.length == 2 ? Numbers.parse(words[1]) : OptionalLong.empty();
        if (first.isEmpty() || last.isEmpty()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "RANG needs the first and the last byte."));
        } else if (first.getAsLong() == 1 && last.getAsLong() == 0) {
            session.settings().range(ByteSpan.ALL);
            session.reply(FtpReply.of(ReplyCode.PENDING, "No range."));
        } else if (last.getAsLong() < first.getAsLong()) {
            session.reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "The last byte is before the first."));
        } else {
            session.settings().range(new ByteSpan(first.getAsLong(), last.getAsLong() + 1));
            session.reply(FtpReply.of(
                    ReplyCode.PENDING,
                    "Restarting at " + first.getAsLong() + ". End byte range at " + last.getAsLong() + "."));
        }
    }
}
