package io.hawser.ops.node;

import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Caller;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.WhyPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pages of a node that shares its process with others which have no admin address: its own, those that only another has, and {@code /why} with what
 * each says.
 *
 * <p>Thread: any.
 */
final class ProcessPages {
    private static final String WHY = "/why";

    private ProcessPages() {}

    /** A node's pages with those of the others. */
    static Map<String, AdminPage> with(Map<String, AdminPage> own, List<Map<String, AdminPage>> others) {
        Map<String, AdminPage> all = new LinkedHashMap<>(own);
        others.forEach(pages -> pages.forEach(all::putIfAbsent));
        List<AdminPage> whys = new ArrayList<>();
        others.stream().filter(pages -> pages.containsKey(WHY)).forEach(pages -> whys.add(pages.get(WHY)));
        all.computeIfPresent(WHY, (path, page) -> whys.isEmpty() ? page : joined(page, whys));
        return all;
    }

    private static AdminPage joined(AdminPage own, List<AdminPage> others) {
        return AdminPage.json((query, caller) -> {
            WhyPage page = why(own, query, caller);
            List<WhyPage> more = new ArrayList<>();
            for (AdminPage other : others) {
                try {
                    more.add(why(other, query, caller));
                } catch (IllegalArgumentException e) {
                    // that node does not know the transfer
                }
            }
            return page.with(more);
        });
    }

    private static WhyPage why(AdminPage page, Map<String, String> query, Caller caller) throws IOException {
        return Json.read(page.get(query, caller).body().getBytes(StandardCharsets.UTF_8), WhyPage.class);
    }
}
