package io.hawser.ops.observe;

import io.hawser.core.access.Right;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of {@code /session}: what this caller may do at this node.
 *
 * @param caller its name
 * @param admittedBy {@code token}, {@code certificate} or {@code machine}
 * @param mayChange whether a web page of this caller may change something
 * @param takesToken whether the node has an admin token
 * @param tokenFile the path of its file; empty if there is none, or the caller is not on this machine
 * @param pages the paths that GET answers
 * @param actions the paths that POST answers
 */
record SessionPage(
        String caller,
        String admittedBy,
        boolean mayChange,
        boolean takesToken,
        String tokenFile,
        List<String> pages,
        List<String> actions) {
    static SessionPage of(
            Admission admission, @Nullable AdminToken token, Collection<String> pages, Collection<String> actions) {
        Caller caller = admission.caller();
        return new SessionPage(
                caller.name(),
                admission.by().name().toLowerCase(Locale.ROOT),
                admission.by() != Credential.MACHINE && caller.access().grants().allowSomewhere(Right.ADMIN),
                token != null,
                token == null || admission.by() != Credential.MACHINE
                        ? ""
                        : token.file().toString(),
                List.copyOf(pages),
                List.copyOf(actions));
    }
}
