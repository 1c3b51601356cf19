package io.hawser.agenta.namespace;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Printable;
import io.hawser.core.remote.RemoteFile;
import java.util.List;
import java.util.function.Function;

/**
 * Names that FTP clients can be shown. A line end in one would make a second entry of its rest, and an escape sequence would reach terminals. An
 * answer with such a name is refused as a whole: without that entry a listing would be incomplete, which programs that mirror take for a
 * deletion, and under another name it would be untrue.
 */
public final class PrintableNames {
    private PrintableNames() {}

    /** The same answer, or a refusal that says which name is to be changed. */
    static <T> Outcome<T> of(Outcome<T> answer, Function<T, List<RemoteFile>> files) {
        if (answer.isRefused()) {
            return answer;
        }
        for (RemoteFile file : files.apply(answer.get())) {
            if (!isShown(file.name())) {
                return Outcome.refused(
                        ErrorCode.MALFORMED,
                        "a name at the far end has control characters, which FTP cannot carry: \""
                                + Printable.shortly(file.name()) + "\"; rename it there");
            }
        }
        return answer;
    }

    /** Whether a name has no control characters; a tab does no harm. */
    public static boolean isShown(String name) {
        return name.chars().noneMatch(c -> Character.isISOControl(c) && c != '\t');
    }
}
