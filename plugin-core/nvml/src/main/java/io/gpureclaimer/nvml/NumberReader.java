package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_ERROR_GPU_IS_LOST;
import static io.gpureclaimer.nvml.binding.NvmlConstants.NVML_SUCCESS;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks one GPU for many numbers: a call that has just been made is not made again for another
 * number out of it, and a GPU that is lost is left alone. Confined as the GPU's handle is.
 */
final class NumberReader {
  private final Driver driver;
  private final GpuHandle gpu;
  private NvmlQuery.@Nullable DriverCall last;
  private int code = NVML_SUCCESS;

  NumberReader(Driver driver, GpuHandle gpu) {
    this.driver = driver;
    this.gpu = gpu;
  }

  List<NvmlResult<Long>> ask(List<DeviceNumber> numbers) {
    List<NvmlResult<Long>> answers = new ArrayList<>(numbers.size());
    for (DeviceNumber number : numbers) {
      answers.add(ask(number));
    }
    return answers;
  }

  private NvmlResult<Long> ask(DeviceNumber number) {
    if (number.ways().ways().size() > 1 && code != NVML_ERROR_GPU_IS_LOST) {
      last = null;
      return driver.ask(number.ways(), gpu);
    }
    NvmlQuery<Long> question = number.ways().ways().getFirst();
    if (!question.call().equals(last) && code != NVML_ERROR_GPU_IS_LOST) {
      last = question.call();
      code = driver.put(question, gpu);
    }
    return Driver.answer(question, code, gpu.out());
  }
}
