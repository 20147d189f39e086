package io.gpureclaimer.nvml.poll;

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
import io.gpureclaimer.nvml.NvmlResult.FailedCall;
import io.gpureclaimer.nvml.NvmlResult.Unsupported;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.NvmlReturn;
import io.gpureclaimer.nvml.poll.GpuFacts.FabricPlace;
import io.gpureclaimer.nvml.poll.GpuFacts.RecoveryAction;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.poll.InventoryUpdate.GpuCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reads identity and facts of one GPU once. What is not supported is absent; the first query whose
 * failure makes the GPU unavailable sets the fault. Confined to the driver thread that polls the
 * GPU.
 */
final class GpuFactsReader {
  private static final int RECOVERY_ACTION = 230;
  private static final int ENERGY = 83;
  private static final int VOLATILE_DOUBLE_BIT_ERRORS = 4;
  private static final long VGPU = 2;
  private static final int MAJOR_SHIFT = 16;
  private static final int MINOR_BITS = 0xFFFF;

  /** Shared by all readers; each GPU's handle keeps its memory. */
  private static final FieldQuery FIELDS =
      new FieldQuery(
          List.of(
              Field.of(RECOVERY_ACTION), Field.of(ENERGY), Field.of(VOLATILE_DOUBLE_BIT_ERRORS)));

  private final Nvml nvml;
  private final int index;
  private final KernelFiles files;
  private final List<FailedCall> failures = new ArrayList<>();
  private @Nullable GpuUuid uuid;
  private @Nullable GpuFault fault;
  private String reason = "";
  private GpuCounters counters = GpuCounters.UNKNOWN;

  GpuFactsReader(Nvml nvml, int index, KernelFiles files) {
    this.nvml = nvml;
    this.index = index;
    this.files = files;
  }

  /**
   * Reads the identity.
   *
   * @param before what was at this index; returned again if it still is
   * @return null if the driver refuses it: {@link #fault} says how
   */
  @Nullable PolledGpu identify(@Nullable PolledGpu before) {
    GpuHandle handle =
        identity("its handle", before == null ? nvml.handle(index) : nvml.handle(before.handle()));
    if (handle == null) {
      return null;
    }
    uuid = identity("its UUID", nvml.uuid(handle));
    if (before != null && before.handle().equals(handle) && before.gpu().uuid().equals(uuid)) {
      return before;
    }
    String name = identity("its name", nvml.name(handle));
    NvmlResult<String> place = nvml.pciBusId(handle);
    String busId = place instanceof Unsupported<String> ? null : identity("its PCI bus id", place);
    if (uuid == null || name == null || (busId == null && !(place instanceof Unsupported))) {
      return null;
    }
    try {
      return new PolledGpu(nvml, handle, new Gpu(index, uuid, busId, name));
    } catch (IllegalArgumentException e) {
      setFault(GpuFault.REFUSED, String.valueOf(e.getMessage()));
      return null;
    }
  }

  /**
   * Reads the facts.
   *
   * @param before from an earlier poll; stand in for the minor number and the MIG layout if those
   *     cannot be read now
   * @return null if even the minor number is unknown
   */
  @Nullable GpuFacts read(
      PolledGpu gpu, MigLister mig, boolean repartitioned, @Nullable GpuFacts before) {
    GpuHandle handle = gpu.handle();
    String busId = gpu.gpu().pciBusId();
    if (busId == null) {
      setFault(GpuFault.INCOMPLETE, "its PCI bus id cannot be read: not supported");
    }
    Integer minor = minor(handle, before);
    Memory memory = optional("its memory", nvml.memory(handle));
    ComputeCapability capability = capability(handle);
    FabricPlace fabric = fabric(handle);
    MigLister.MigListing listed = required("its MIG devices", mig.list(gpu, minor, repartitioned));
    MigLister.MigListing listing = listed == null ? MigLister.MigListing.of(before) : listed;
    failures.addAll(mig.failures());
    Long virtualization =
        optional("its virtualization mode", number(handle, DeviceNumbers.VIRTUALIZATION_MODE));
    List<NvmlResult<FieldValue>> fields = optional("its fields", nvml.fieldValues(handle, FIELDS));
    RecoveryAction recovery = null;
    if (fields != null) {
      recovery =
          whole(fields.get(0))
              .map(action -> RecoveryAction.of(action.intValue()).orElse(RecoveryAction.OTHER))
              .orElse(null);
      counters =
          new GpuCounters(whole(fields.get(1)).orElse(null), whole(fields.get(2)).orElse(null));
    }
    if (minor == null) {
      return null;
    }
    return new GpuFacts(
        gpu.gpu(),
        minor,
        busId == null ? null : boxed(files.numaNode(busId)),
        memory == null ? null : memory.totalBytes(),
        capability,
        listing.mode(),
        listing.instances(),
        listing.refused(),
        fabric,
        recovery,
        virtualization == null ? null : virtualization == VGPU);
  }

  /** The UUID, if it was reported. */
  @Nullable GpuUuid uuid() {
    return uuid;
  }

  /** Null if there is none. */
  @Nullable GpuFault fault() {
    return fault;
  }

  String reason() {
    return reason;
  }

  /** Codes of the failed queries for identity and MIG layout, and of a lost GPU. */
  List<FailedCall> failures() {
    return failures;
  }

  GpuCounters counters() {
    return counters;
  }

  private @Nullable Integer minor(GpuHandle handle, @Nullable GpuFacts before) {
    NvmlResult<Long> answer = number(handle, DeviceNumbers.MINOR);
    Long minor =
        before == null
            ? required("its minor number", answer)
            : optional("its minor number", answer);
    return minor == null
        ? before == null ? null : before.minor()
        : Integer.valueOf(Math.toIntExact(minor));
  }

  private @Nullable ComputeCapability capability(GpuHandle gpu) {
    Long both = optional("its capability", number(gpu, DeviceNumbers.CUDA_COMPUTE_CAPABILITY));
    return both == null
        ? null
        : new ComputeCapability((int) (both >> MAJOR_SHIFT), (int) (both & MINOR_BITS));
  }

  private @Nullable FabricPlace fabric(GpuHandle gpu) {
    String cluster = optional("its fabric", nvml.text(gpu, DeviceTexts.FABRIC_CLUSTER));
    if (cluster == null) {
      return null;
    }
    Long clique = optional("its clique", number(gpu, DeviceNumbers.FABRIC_CLIQUE));
    return clique == null ? null : new FabricPlace(cluster, clique);
  }

  /** A dead GPU may report it in one of the fields. */
  private Optional<Long> whole(NvmlResult<FieldValue> field) {
    return Optional.ofNullable(optional("a field", field)).map(FieldValue::whole);
  }

  private NvmlResult<Long> number(GpuHandle gpu, DeviceNumber number) {
    return nvml.numbers(gpu, List.of(number)).getFirst();
  }

  private <T> @Nullable T identity(String what, NvmlResult<T> answer) {
    if (answer instanceof Failed<T> failed) {
      failures.add(failed.call());
    }
    return required(what, answer, GpuFault.REFUSED);
  }

  private <T> @Nullable T required(String what, NvmlResult<T> answer) {
    return required(what, answer, GpuFault.INCOMPLETE);
  }

  private <T> @Nullable T required(String what, NvmlResult<T> answer, GpuFault otherwise) {
    return switch (answer) {
      case Value<T>(var value) -> value;
      case Unsupported<T> _ -> {
        setFault(otherwise, what + " cannot be read: not supported");
        yield null;
      }
      case Failed<T> failed -> {
        fail(what, failed, otherwise);
        yield null;
      }
    };
  }

  private <T> @Nullable T optional(String what, NvmlResult<T> answer) {
    return switch (answer) {
      case Value<T>(var value) -> value;
      case Unsupported<T> _ -> null;
      case Failed<T> failed -> {
        var reason = failed.reason();
        if (reason == NvmlReturn.GPU_IS_LOST || reason == NvmlReturn.RESET_REQUIRED) {
          fail(what, failed, GpuFault.INCOMPLETE);
        }
        yield null;
      }
    };
  }

  private void fail(String what, Failed<?> failed, GpuFault otherwise) {
    NvmlReturn code = failed.reason();
    int number = failed.code();
    boolean isLost = code == NvmlReturn.GPU_IS_LOST;
    if (isLost && failures.stream().noneMatch(it -> it.reason() == code)) {
      failures.add(failed.call());
    }
    setFault(
        isLost ? GpuFault.LOST : otherwise,
        what + " cannot be read: " + code.text() + " (code " + number + ')');
  }

  /** The first failure is reported; that the GPU is lost is never outweighed. */
  private void setFault(GpuFault found, String why) {
    if (fault == null || (found == GpuFault.LOST && fault != GpuFault.LOST)) {
      fault = found;
      reason = why;
    }
  }

  private static @Nullable Integer boxed(OptionalInt number) {
    return number.isPresent() ? number.getAsInt() : null;
  }
}
