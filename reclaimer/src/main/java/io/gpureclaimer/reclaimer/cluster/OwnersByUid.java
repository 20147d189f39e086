package io.gpureclaimer.reclaimer.cluster;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Owners by UID, immutable. Each is looked up many times, which {@link Map#copyOf} takes longer
 * for; and views of the same owners share one copy.
 */
final class OwnersByUid extends AbstractMap<String, OwnerView> {
  private final Map<String, OwnerView> owners;

  private OwnersByUid(Map<String, OwnerView> owners) {
    this.owners = new HashMap<>(owners);
  }

  static OwnersByUid copyOf(Map<String, OwnerView> owners) {
    return owners instanceof OwnersByUid known ? known : new OwnersByUid(owners);
  }

  @Override
  public @Nullable OwnerView get(Object uid) {
    return owners.get(uid);
  }

  @Override
  public boolean containsKey(Object uid) {
    return owners.containsKey(uid);
  }

  @Override
  public Set<Entry<String, OwnerView>> entrySet() {
    return Collections.unmodifiableMap(owners).entrySet();
  }
}
