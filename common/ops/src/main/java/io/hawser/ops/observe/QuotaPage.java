package io.hawser.ops.observe;

import java.util.List;

/**
 * The JSON of {@code /quotas}.
 *
 * @param quotas how far the quotas of tenants are used
 * @param principals what each that is connected takes
 *
 * <p>Thread: immutable.
 */
public record QuotaPage(List<QuotaLine> quotas, List<PrincipalLine> principals) {
    public QuotaPage {
        quotas = List.copyOf(quotas);
        principals = List.copyOf(principals);
    }
}
