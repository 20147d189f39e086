package io.gpureclaimer.exporter.collect;

import io.gpureclaimer.core.nvml.GpuHandle;
import io.gpureclaimer.core.nvml.Nvml;
import io.gpureclaimer.core.nvml.NvmlResult;
import io.gpureclaimer.core.nvml.NvmlResult.Value;
import io.gpureclaimer.core.vocabulary.DcgmField;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * What a device says of itself in words. It does not change while a session lasts, so it is asked
 * once, when the device introduces itself; what it does not tell then stays absent.
 */
final class Texts {
  private static final Map<DcgmField, BiFunction<Nvml, GpuHandle, NvmlResult<String>>> QUESTIONS =
      Map.of(
          DcgmField.DRIVER_VERSION, (nvml, _) -> nvml.driverVersion(),
          DcgmField.NVML_VERSION, (nvml, _) -> nvml.nvmlVersion());

  private Texts() {}

  /** The fields that can be told. */
  static Set<DcgmField> tells() {
    return QUESTIONS.keySet();
  }

  /** What of the wanted the device tells. */
  static Map<DcgmField, String> of(Nvml nvml, GpuHandle handle, Set<DcgmField> wanted) {
    var texts = new LinkedHashMap<DcgmField, String>();
    QUESTIONS.forEach(
        (field, question) -> {
          if (wanted.contains(field)
              && question.apply(nvml, handle) instanceof Value<String>(var text)) {
            texts.put(field, text);
          }
        });
    return texts;
  }
}
