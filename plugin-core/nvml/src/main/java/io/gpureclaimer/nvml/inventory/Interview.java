package io.gpureclaimer.nvml.inventory;

import io.gpureclaimer.common.device.ComputeCapability;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.DeviceNumber;
import io.gpureclaimer.nvml.DeviceNumbers;
import io.gpureclaimer.nvml.DeviceTexts;
import io.gpureclaimer.nvml.FieldQuery;
import io.gpureclaimer.nvml.FieldQuery.Field;
import io.gpureclaimer.nvml.FieldValue;
import io.gpureclaimer.nvml.GpuHandle;
import io.gpureclaimer.nvml.Memory;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Failed;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.NvmlReturn;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks one GPU all that an inventory has of it. What is not supported is absent; what fails spoils
 * the interview if nothing can be done without it, or if it fails because the GPU is dead. Confined
 * to one thread, and used once.
 */
final class Interview {
  private static final Set<String> DISPLAYS = Set.of("DGX Display", "NVIDIA DGX Display");
  private static final Set<NvmlReturn> DEAD =
      Set.of(NvmlReturn.GPU_IS_LOST, NvmlReturn.RESET_REQUIRED);
  private static final int RECOVERY_ACTION = 230;
  private static final int ENERGY = 83;
  private static final int VOLATILE_DOUBLE_BIT_ERRORS = 4;
  private static final long VGPU = 2;
  private static final int MAJOR_SHIFT = 16;
  private static final int MINOR_BITS = 0xFFFF;

  /** Asked by every interview; each GPU's handle keeps its memory. */
  private static final FieldQuery FIELDS =
      new FieldQuery(
          List.of(
              Field.of(RECOVERY_ACTION), Field.of(ENERGY), Field.of(VOLATILE_DOUBLE_BIT_ERRORS)));

  private final Nvml nvml;
  private final int index;
  private final @Nullable GpuHandle before;
  private final KernelFiles files;
  private final MigCaps caps;
  private @Nullable String failure;

  Interview(Nvml nvml, int index, @Nullable GpuHandle before, KernelFiles files, MigCaps caps) {
    this.nvml = nvml;
    this.before = before;
    this.index = index;
    this.files = files;
    this.caps = caps;
  }

  Look look() {
    GpuHandle gpu = must("its handle", before == null ? nvml.handle(index) : nvml.handle(before));
    return gpu == null ? failed(null) : look(gpu);
  }

  private Look look(GpuHandle gpu) {
    String name = must("its name", nvml.name(gpu));
    if (name != null && DISPLAYS.contains(name)) {
      return new Look.Display();
    }
    GpuUuid uuid = must("its UUID", nvml.uuid(gpu));
    String busId = must("its PCI bus id", nvml.pciBusId(gpu));
    Long minor = must("its minor number", number(gpu, DeviceNumbers.MINOR));
    if (uuid == null || name == null || busId == null || minor == null) {
      return failed(uuid);
    }
    return look(gpu, new Gpu(index, uuid, busId, name), busId, Math.toIntExact(minor));
  }

  private Look look(GpuHandle gpu, Gpu identity, String busId, int minor) {
    Memory memory = may("its memory", nvml.memory(gpu));
    ComputeCapability capability = capability(gpu);
    FabricPlace fabric = fabric(gpu);
    var instances = new InstanceList(nvml, caps).of(gpu, minor);
    Long virtualization =
        may("its virtualization mode", number(gpu, DeviceNumbers.VIRTUALIZATION_MODE));
    List<NvmlResult<FieldValue>> fields = may("its fields", nvml.fieldValues(gpu, FIELDS));
    InstanceList.Division division = must("its MIG devices", instances);
    Integer action = fields == null ? null : whole(fields.get(0)).map(Long::intValue).orElse(null);
    if (failure != null || division == null) {
      return failed(identity.uuid());
    }
    return new Look.Seen(
        new GpuFacts(
            identity,
            minor,
            boxed(files.numaNode(busId)),
            memory == null ? null : memory.totalBytes(),
            capability,
            division.mode(),
            division.instances(),
            fabric,
            action == null ? null : RecoveryAction.of(action).orElse(RecoveryAction.OTHER),
            virtualization == null ? null : virtualization == VGPU),
        fields == null ? Counters.UNTOLD : counters(fields),
        gpu);
  }

  private @Nullable ComputeCapability capability(GpuHandle gpu) {
    Long told = may("its capability", number(gpu, DeviceNumbers.CUDA_COMPUTE_CAPABILITY));
    return told == null
        ? null
        : new ComputeCapability((int) (told >> MAJOR_SHIFT), (int) (told & MINOR_BITS));
  }

  private @Nullable FabricPlace fabric(GpuHandle gpu) {
    String cluster = may("its fabric", nvml.text(gpu, DeviceTexts.FABRIC_CLUSTER));
    if (cluster == null) {
      return null;
    }
    Long clique = may("its clique", number(gpu, DeviceNumbers.FABRIC_CLIQUE));
    return clique == null ? null : new FabricPlace(cluster, clique);
  }

  private Counters counters(List<NvmlResult<FieldValue>> fields) {
    return new Counters(whole(fields.get(1)).orElse(null), whole(fields.get(2)).orElse(null));
  }

  /** A dead GPU may say so in one of the fields. */
  private Optional<Long> whole(NvmlResult<FieldValue> field) {
    return Optional.ofNullable(may("a field", field)).map(FieldValue::whole);
  }

  private NvmlResult<Long> number(GpuHandle gpu, DeviceNumber number) {
    return nvml.numbers(gpu, List.of(number)).getFirst();
  }

  private <T> @Nullable T must(String what, NvmlResult<T> answer) {
    return switch (answer) {
      case Value<T>(var value) -> value;
      case Unsupported<T> _ -> {
        spoil(what + " cannot be read: not supported");
        yield null;
      }
      case Failed<T>(var reason, var code) -> {
        spoil(text(what, reason, code));
        yield null;
      }
    };
  }

  private <T> @Nullable T may(String what, NvmlResult<T> answer) {
    return switch (answer) {
      case Value<T>(var value) -> value;
      case Unsupported<T> _ -> null;
      case Failed<T>(var reason, var code) -> {
        if (DEAD.contains(reason)) {
          spoil(text(what, reason, code));
        }
        yield null;
      }
    };
  }

  private static String text(String what, NvmlReturn reason, int code) {
    return what + " cannot be read: " + reason.text() + " (code " + code + ')';
  }

  /** What failed first is what is told. */
  private void spoil(String why) {
    if (failure == null) {
      failure = why;
    }
  }

  private Look failed(@Nullable GpuUuid uuid) {
    return new Look.Failed(index, uuid, failure == null ? "it tells nothing" : failure);
  }

  private static @Nullable Integer boxed(OptionalInt number) {
    return number.isPresent() ? number.getAsInt() : null;
  }
}
