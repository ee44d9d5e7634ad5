/* diff_student.c - Student's t for whole degrees of freedom: Abramowitz and Stegun, Handbook of Mathematical
 * Functions, 26.7.3 and 26.7.4. */
#include "query/diff.h"

#include <math.h>

double smi_student_probability(double t, size_t f)
{
    double x = fabs(t), angle = atan2(x, sqrt((double)f)), c = cos(angle), term, sum, inside;
    if (!f || isinf(x))
        return f ? 0 : 1;
    if (f % 2) {
        term = c;
        sum = f > 1 ? term : 0;
        for (size_t k = 3; k + 2 <= f && term > sum * 1e-17; k += 2) {
            term *= c * c * (double)(k - 1) / (double)k;
            sum += term;
        }
        inside = (angle + sin(angle) * sum) * 2 / acos(-1);
    } else {
        term = sum = 1;
        for (size_t k = 2; k + 2 <= f && term > sum * 1e-17; k += 2) {
            term *= c * c * (double)(k - 1) / (double)k;
            sum += term;
        }
        inside = sin(angle) * sum;
    }
    return inside < 1 ? 1 - inside : 0;
}
