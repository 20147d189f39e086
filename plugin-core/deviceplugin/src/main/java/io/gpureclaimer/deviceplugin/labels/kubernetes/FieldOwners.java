package io.gpureclaimer.deviceplugin.labels.kubernetes;

import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whose labels they are, as the API server keeps it.
 *
 * @param ours the keys that our own applies own
 * @param others for each key, who else does
 */
record FieldOwners(Set<String> ours, Map<String, List<String>> others) {
  private static final String APPLY = "Apply";
  private static final String FIELD = "f:";

  /**
   * @param way to the labels, in the spelling of the record
   * @param us the name under which we apply
   */
  static FieldOwners of(GenericKubernetesResource live, List<String> way, String us) {
    var ours = new HashSet<String>();
    var others = new HashMap<String, List<String>>();
    List<ManagedFieldsEntry> entries =
        Optional.ofNullable(live.getMetadata().getManagedFields()).orElse(List.of());
    for (ManagedFieldsEntry entry : entries) {
      boolean isOurs = us.equals(entry.getManager()) && APPLY.equals(entry.getOperation());
      for (String key : keys(entry.getFieldsV1(), way)) {
        if (isOurs) {
          ours.add(key);
        } else {
          others
              .computeIfAbsent(key, _ -> new ArrayList<>())
              .add(String.valueOf(entry.getManager()));
        }
      }
    }
    return new FieldOwners(ours, others);
  }

  private static Set<String> keys(@Nullable FieldsV1 fields, List<String> way) {
    @Nullable Object at = fields == null ? null : fields.getAdditionalProperties();
    for (String step : way) {
      at = at instanceof Map<?, ?> map ? map.get(step) : null;
    }
    var keys = new HashSet<String>();
    if (at instanceof Map<?, ?> map) {
      for (Object key : map.keySet()) {
        String text = String.valueOf(key);
        if (text.startsWith(FIELD)) {
          keys.add(text.substring(FIELD.length()));
        }
      }
    }
    return keys;
  }
}
