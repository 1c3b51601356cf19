package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.modee.RangeText;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.FragmentRanges;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * {@code REST <SP> <marker>}, RFC 3659 section 5: a byte position for the transfer that follows. In MODE E also the ranges that
 * were transferred (GFD.20 section 4.2), such as {@code 0-1048576,2097152-3145728} with exclusive ends.
 */
final class RestCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("REST");
    }

    @Override
    public String syntax() {
        return "position|ranges";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        OptionalLong position = Numbers.parse(argument);
        Optional<FragmentRanges> ranges = RangeText.parse(argument);
        if (position.isPresent()) {
            session.settings().restartAt(position.getAsLong());
            session.reply(FtpReply.of(ReplyCode.PENDING, "Restarting at " + position.getAsLong() + "."));
        } else if (ranges.isPresent() && session.settings().extendedBlocks()) {
            session.settings().restartWithout(ranges.get());
            session.reply(FtpReply.of(ReplyCode.PENDING, "Restarting without what was transferred."));
        } else {
            session.reply(FtpReply.of(
                    ReplyCode.ARGUMENT_ERROR, "REST needs a byte position, in MODE E also ranges a-b,c-d."));
        }
    }
}
